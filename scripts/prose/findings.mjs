/** Checks one passage of prose against the rules. */
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import remarkRetext from 'remark-retext'
import retextEnglish from 'retext-english'
import retextIndefiniteArticle from 'retext-indefinite-article'
import retextRepeatedWords from 'retext-repeated-words'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { VFile } from 'vfile'
import { longestSentence, phrases } from './rules.mjs'

/**
 * @typedef {import('./passages.mjs').Passage} Passage
 * @typedef {{ line: number, sentence: string, advice: string }} Finding
 */

const natural = unified()
  .use(retextEnglish)
  .use([retextRepeatedWords, retextIndefiniteArticle, checkSentences])

// Skip headings, because a heading may be a question or have no verb.
const ignored = { ignore: ['heading'] }

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRetext, natural, ignored)
  .freeze()
const mdx = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMdx)
  .use(remarkRetext, natural, ignored)
  .freeze()

/**
 * @param {Passage} passage
 * @param {boolean} isMdx
 * @returns {Promise<Finding[]>}
 */
export async function findingsOf(passage, isMdx) {
  const file = new VFile(passage.text)
  const processor = isMdx ? mdx : markdown
  await processor.run(processor.parse(file), file)
  const lines = passage.text.split('\n')
  return file.messages.map(({ line, reason, note }) => ({
    line: passage.line + (line ?? 1) - 1,
    sentence: String(note ?? lines[(line ?? 1) - 1] ?? '').trim(),
    advice: reason,
  }))
}

function checkSentences() {
  return (/** @type {import('nlcst').Root} */ tree, /** @type {VFile} */ file) => {
    visit(tree, 'SentenceNode', (node) => {
      const text = plainText(node).replace(/\s+/g, ' ').trim()
      // Split once more before code, because the parser recognizes no sentence that starts with
      // code.
      for (const sentence of text.split(/(?<=[.!?…]) (?=`x`)/)) {
        for (const advice of adviceOn(sentence)) {
          file.message(advice, { place: node.position }).note = sentence
        }
      }
    })
  }
}

/**
 * @param {string} sentence
 * @returns {string[]}
 */
function adviceOn(sentence) {
  const advice = phrases.filter(({ pattern }) => pattern.test(sentence)).map((rule) => rule.advice)
  const words = sentence.split(' ').filter((word) => /\w/.test(word)).length
  if (words > longestSentence) advice.push(`${words} words in one sentence: make it two`)
  return advice
}

/**
 * Returns the words of a sentence. Code, which the parser calls a source, counts as one word.
 * @param {import('nlcst').Nodes} node
 * @returns {string}
 */
function plainText(node) {
  if (node.type === 'SourceNode') return '`x`'
  if ('children' in node) return node.children.map(plainText).join('')
  return node.value
}
