import { expect, test } from 'vitest'
import { layIntoApps, listCommands, readCodeBlocks } from './codeBlocks.ts'

const page = `Text.

\`\`\`tsx
// app/[slug]/page.tsx
export default 1
\`\`\`

- indented:

  \`\`\`ts title="a.ts"
  const one = 1
  \`\`\`

\`\`\`ts
const nameless = 1
\`\`\`
`

test('a block has its line, and its file from the title or the first line', () => {
  const blocks = readCodeBlocks(page).map(({ line, file }) => [line, file])
  expect(blocks).toEqual([
    [3, 'app/[slug]/page.tsx'],
    [10, 'a.ts'],
    [14, null],
  ])
  expect(readCodeBlocks(page)[1]?.code).toBe('const one = 1\n')
})

test('a file that already exists starts another app', () => {
  const block = { line: 1, language: 'ts' }
  const apps = layIntoApps([
    { ...block, file: 'a.ts', code: '1' },
    { ...block, file: 'b.ts', code: '2' },
    { ...block, file: null, code: '3' },
    { ...block, file: 'a.ts', code: '4' },
  ])
  expect(apps.map((files) => Object.fromEntries(files))).toEqual([
    { 'a.ts': '1', 'b.ts': '2' },
    { 'a.ts': '4', 'b.ts': '2' },
  ])
})

test('calls of the CLI are read from shell blocks and from the text', () => {
  const text =
    'Run `npx waymark start --port 1`.\n\n```sh\nA=b waymark build --mode x\n  --out y\n```\n'
  expect(listCommands(text)).toEqual([
    { text: 'A=b waymark build --mode x', command: 'build', options: ['mode'] },
    { text: 'npx waymark start --port 1', command: 'start', options: ['port'] },
  ])
})
