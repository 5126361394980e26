import { expect, test } from 'vitest'
import { findingsOf } from './findings.mjs'
import { longestSentence } from './rules.mjs'

async function adviceFor(text: string, isMdx = false): Promise<string[]> {
  const findings = await findingsOf({ text, line: 1, kind: 'page' }, isMdx)
  return findings.map(({ advice }) => advice)
}

test.each([
  'What was matched already, its matcher leaves out.',
  'The newest first: that of which loads were counted.',
  'A connection that is silent is none.',
  'The browser keeps the files of before.',
  'The rendering goes on until the end.',
  'The client is told about the change.',
  'The option stands in the configuration.',
  'The value is no number.',
  'The page belongs to another user than the one who is signed in.',
  'The command ends when the page is there.',
  'Of a command; default 500 ms.',
  'One thing; another thing: a third thing; a last thing.',
  'The file is read by the the server.',
  `The server ${'waits and '.repeat(longestSentence)}stops.`,
])('reports %s', async (text) => {
  expect(await adviceFor(text)).toHaveLength(1)
})

test.each([
  'Where does the error come from?',
  'The server waits until the file is complete.',
  'Call `that of` in the code.',
  'There is no such file.',
  'Of its 102 cases, five need a browser.',
  '# What you need',
  `The file \`a\` ${'is read and '.repeat(8)}is done. \`b\` ${'waits and '.repeat(8)}stops.`,
  '```ts\n// What is none\n```',
])('accepts %s', async (text) => {
  expect(await adviceFor(text)).toEqual([])
})

test('names the line of the sentence within its file', async () => {
  const text = 'A first sentence.\n\nThe second one goes on.'
  const [finding] = await findingsOf({ text, line: 10, kind: 'comment' }, false)
  expect(finding).toMatchObject({ line: 12, sentence: 'The second one goes on.' })
})

test('reads the text of components in MDX, and leaves code out', async () => {
  const page = 'export const that = "is none"\n\n<Note>\n\nThis goes on.\n\n</Note>\n'
  expect(await adviceFor(page, true)).toHaveLength(1)
})
