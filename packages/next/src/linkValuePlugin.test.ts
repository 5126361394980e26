import { expect, test } from 'vitest'
import { withClientLink } from './linkValuePlugin.ts'

const imported = "import RouterLink from 'next/link'\n"
const appended = "\nimport __nextLinkOfBrowser from 'next/internal/link'\n"

test('a link that is passed as a value is replaced by the client component', () => {
  const code =
    '<Button component={RouterLink} slots={{ a: { RouterLink: RouterLink } }}>{RouterLink.name}</Button>'
  expect(withClientLink('page.tsx', imported + code)).toBe(
    `${imported}<Button component={__nextLinkOfBrowser} slots={{ a: { RouterLink: __nextLinkOfBrowser } }}>{RouterLink.name}</Button>${appended}`,
  )
})

test.each([
  `${imported}<RouterLink href="/a" title={RouterLinks} />`,
  "import { Link } from './link'\nimport type {} from 'next/link'\n<Button component={Link} />",
  `${imported}<Button component={RouterLink`,
])('%j is not changed', (code) => {
  expect(withClientLink('page.tsx', code)).toBe(code)
})
