/**
 * Finds the passages of prose in a file: all of a Markdown or MDX page, and the comments and
 * messages in code.
 * @typedef {{ text: string, line: number, kind: 'page' | 'comment' | 'message' }} Passage `text` is
 * Markdown; `line` is the line of the file on which it starts, from 1
 */
import { parseSync } from 'vite'

const messageEnd = /[.!?…]$/

/**
 * @param {string} path path of the file, whose extension decides how the file is read
 * @param {string} source
 * @returns {Passage[]}
 */
export function passagesOf(path, source) {
  if (/\.mdx?$/.test(path)) return [{ text: source, line: 1, kind: 'page' }]
  const { program, comments } = parseSync(path, source)
  const lineOf = lineCounter(source)
  const blocks = joinLineComments(comments, source).filter(({ text }) => !isDirective(text))
  const prose = blocks.flatMap(({ text, start }) => commentPassages(text, lineOf(start)))
  const messages = []
  for (const { text, start } of literalsOf(program)) {
    if (isMessage(text))
      messages.push({ text, line: lineOf(start), kind: /** @type {const} */ ('message') })
  }
  return [...prose, ...messages].sort((a, b) => a.line - b.line)
}

/**
 * Joins line comments that follow each other without code between them.
 * @param {readonly { type: string, value: string, start: number, end: number }[]} comments
 * @param {string} source
 */
function joinLineComments(comments, source) {
  /** @type {{ text: string, start: number, end: number, isLine: boolean }[]} */
  const joined = []
  for (const { type, value, start, end } of comments) {
    if (source.startsWith('#!', start)) continue
    const isLine = type === 'Line'
    const previous = joined.at(-1)
    if (
      isLine &&
      previous?.isLine &&
      /^[ \t]*\r?\n[ \t]*$/.test(source.slice(previous.end, start))
    ) {
      previous.text += `\n${value.replace(/^ /, '')}`
      previous.end = end
    } else {
      joined.push({ text: isLine ? value.replace(/^ /, '') : value, start, end, isLine })
    }
  }
  return joined
}

/** @param {string} text text of a comment, without its delimiters */
function isDirective(text) {
  return (
    /^\s*(?:biome-ignore|@ts-|@vite-ignore|#__|webpack|[a-z-]+:)/i.test(text) && !/\n/.test(text)
  )
}

/**
 * Splits a comment into its description and the text of each tag.
 * @param {string} comment
 * @param {number} firstLine
 * @returns {Passage[]}
 */
function commentPassages(comment, firstLine) {
  /** @type {Passage[]} */
  const passages = []
  let isSkipped = false
  for (const [index, raw] of comment.split('\n').entries()) {
    const line = raw.replace(/^\s*\*+ ?/, '')
    const tag = /^@(\w+)/.exec(line)?.[1]
    if (tag) isSkipped = ['see', 'type', 'typedef', 'import', 'template', 'example'].includes(tag)
    if (isSkipped) continue
    const last = passages.at(-1)
    if (tag || !last) passages.push({ text: line, line: firstLine + index, kind: 'comment' })
    else last.text += `\n${line}`
  }
  return passages
    .map((passage) => ({ ...passage, text: textOfTag(passage.text).trimEnd() }))
    .filter(({ text }) => text !== '')
}

/**
 * Removes a tag, its type and the parameter's name. The lines of a type stay in the text as empty
 * lines.
 * @param {string} passage such as `@param {string} name text`
 */
function textOfTag(passage) {
  if (!passage.startsWith('@')) return passage
  const isParam = passage.startsWith('@param')
  const text = withoutType(passage.replace(/^@\w+[ \t]*/, ''))
  return isParam ? text.replace(/^(\s*)\[?[\w.$=]+\]?[ \t]*/, '$1') : text
}

/** @param {string} text text that may start with a type in braces */
function withoutType(text) {
  if (!text.startsWith('{')) return text
  let depth = 0
  const end = [...text].findIndex((character) => {
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    return depth === 0
  })
  const lines = text.slice(0, end).replace(/[^\n]/g, '')
  return lines + text.slice(end + 1).trimStart()
}

/**
 * Returns the text of string literals and templates, with `…` for each value in a template.
 * @param {unknown} node
 * @returns {Generator<{ text: string, start: number }>}
 */
function* literalsOf(node) {
  if (Array.isArray(node)) {
    for (const child of node) yield* literalsOf(child)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if ('type' in node && node.type === 'ImportDeclaration') return
  if ('type' in node && node.type === 'Literal' && 'value' in node && 'start' in node) {
    if (typeof node.value === 'string') yield { text: node.value, start: Number(node.start) }
    return
  }
  if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node && 'start' in node) {
    const quasis = /** @type {{ value: { cooked: string | null } }[]} */ (node.quasis)
    yield {
      text: quasis.map(({ value }) => value.cooked ?? '').join('`x`'),
      start: Number(node.start),
    }
  }
  for (const child of Object.values(node)) yield* literalsOf(child)
}

/**
 * True for text that looks like sentences: it has several words, and ends a sentence.
 * @param {string} text
 */
function isMessage(text) {
  const words = text.split(/\s+/).filter((word) => /^[A-Za-z`'’-]+[,.:;]?$/.test(word))
  return words.length >= 5 && messageEnd.test(text.trim()) && !/[{}<>]|=>|;$/m.test(text)
}

/** @param {string} source */
function lineCounter(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1))
    starts.push(at + 1)
  return (/** @type {number} */ offset) => {
    const next = starts.findIndex((start) => start > offset)
    return next < 0 ? starts.length : next
  }
}
