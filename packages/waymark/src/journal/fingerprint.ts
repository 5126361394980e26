import { parseFrame, type StackFrame } from './stackFrames.ts'
import type { ThrownText } from './thrown.ts'

const ownFrames = 3

/**
 * Names what an occurrence has in common with others of the same kind: the error's name and code,
 * and where it was thrown. Lines, columns and the hashes of files change with every build, so they
 * don't count; without a stack the message does, its numbers and quotations left out.
 * @returns ten letters and digits
 */
export function fingerprintOf({ name, code, message, stack }: ThrownText): string {
  const places = (stack?.split('\n') ?? []).map(parseFrame).filter(isOwn).slice(0, ownFrames)
  const where = places.length > 0 ? places.map(placeOf) : [generalMessage(message)]
  return hashOf([name, code ?? '', ...where].join('\n'))
}

function isOwn({ file }: StackFrame): boolean {
  return file !== null && !/^node:|[\\/]node_modules[\\/]|^<anonymous>/.test(file)
}

function placeOf({ file, functionName }: StackFrame): string {
  const name = (file ?? '').replace(/[?#].*/, '').replace(/^.*[\\/]/, '')
  // `page-Bx3_k9aQ.js`, as bundlers name what may be cached for ever.
  return `${functionName ?? ''} ${name.replace(/[-.][\w-]{8}(?=\.\w+$)/, '')}`
}

function generalMessage(message: string): string {
  const [firstLine = ''] = message.slice(0, 200).split('\n', 1)
  return firstLine
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '""')
    .replace(/\b(?=\w*\d)[\w-]+\b/g, '#')
}

/** FNV-1a, twice with different beginnings: no secret depends on it, only the sorting. */
function hashOf(text: string): string {
  let a = 0x811c9dc5
  let b = 0x2f0b4a31
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x01000193) ^ (a >>> 15)
  }
  return [a, b].map((half) => (half >>> 0).toString(36).padStart(5, '0').slice(-5)).join('')
}
