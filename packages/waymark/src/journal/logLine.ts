import type { JournalEntry } from './entry.ts'
import type { ThrownText } from './thrown.ts'

/**
 * Writes an entry for a log: one line that tells the occurrence, then the error.
 * @param isWhole `false` leaves the error to its name and message: in a flood, others like it
 * have been logged
 */
export function logLine(entry: JournalEntry, isWhole: boolean): string {
  const { digest, phase, method, path, route } = entry
  const where = path === null ? [] : [method, path, route === null ? '(no route)' : `(${route})`]
  const head = [digest, phase, ...where].filter((part) => part !== null).join(' ')
  if (!isWhole) return `${head} ${firstLine(entry)} (one of many)`
  const causes = entry.causes.map(
    (cause) => `${cause.relation === 'cause' ? 'caused by' : 'with'} ${textOf(cause)}`,
  )
  return [head, textOf(entry), ...causes].join('\n')
}

// Further lines are indented, so that no message can look like the line of an occurrence.
function textOf({ name, message, stack }: ThrownText): string {
  const frames = stack === null ? [] : stack.split('\n')
  const [first = '', ...others] = message.split('\n')
  const head = first === '' ? name : `${name}: ${first}`
  return [head, ...others.map((line) => `  ${line}`), ...frames.map((line) => `    ${line}`)].join(
    '\n',
  )
}

function firstLine({ name, message }: ThrownText): string {
  return `${name}: ${message.split('\n', 1)[0]?.slice(0, 200)}`
}
