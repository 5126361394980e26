import { expect, test } from 'vitest'
import { markdownOf } from './markdown.mjs'
import { sectionsOf } from './sections.ts'

const source = `export const metadata = {
  title: 'The owl\\'s page',
  description: "One's words.",
}

# Owls

They fly at [night](/guide/night).

## A \`nest\`

It is high.

\`\`\`ts
## not a heading
const feather = 1
\`\`\`

## A nest

Another.
`

test('an MDX page is Markdown with a title and a description', () => {
  const { title, description, markdown } = markdownOf(source)
  expect([title, description]).toEqual(["The owl's page", "One's words."])
  expect(markdown).toMatch(/^# Owls\n/)
})

test('a page is found by its sections, their hashes are those of the headings', () => {
  const sections = sectionsOf('/guide/owls', 'Owls', markdownOf(source).markdown)
  expect(sections.map(({ href, heading }) => [href, heading])).toEqual([
    ['/guide/owls', ''],
    ['/guide/owls#a-nest', 'A nest'],
    ['/guide/owls#a-nest-2', 'A nest'],
  ])
  expect(sections[0]?.excerpt).toBe('They fly at night.')
  expect(sections[1]?.words.split(' ')).toEqual(expect.arrayContaining(['heading', 'feather']))
})
