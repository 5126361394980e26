import { expect, test } from 'vitest'
import { linkedFile } from './devStyles.ts'

test.each([
  ['/app/a.css', '', '/work/my app/app/a.css'],
  ['/app/a.module.css', '', '/work/my app/app/a.module.css'],
  ['/app/%C3%BC%20b.css', '', '/work/my app/app/ü b.css'],
  ['/app/100%.css', '', '/work/my app/app/100%.css'],
  ['/docs/app/a.css', '/docs', '/work/my app/app/a.css'],
  ['/@fs/work/ui/button.css', '', '/work/ui/button.css'],
  ['/docs/@fs/work/ui/button.css', '/docs', '/work/ui/button.css'],
  ['/@fs/C:/work/ui/button.css', '', 'C:/work/ui/button.css'],
])('the link %s below %j is for %s', (href, basePath, file) => {
  expect(linkedFile(href, '/work/my app', basePath)).toBe(file)
})
