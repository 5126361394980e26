import { expect, test } from 'vitest'
import { metadataMark } from '../wire/headTags.ts'
import { withMovedTitles, withoutReplacedTags } from './writeHeadTags.ts'

const mark = ` ${metadataMark}=""`
const document = (head: string) =>
  `<html><head>${head}</head><body><title>svg</title></body></html>`

test.each([
  ['a title', `<title${mark}>a</title><title>b</title>`, '<title>b</title>'],
  ['a title that comes later', `<title>b</title><title${mark}>a</title>`, '<title>b</title>'],
  ['the earlier of two titles', '<title>a</title><title>b</title>', '<title>b</title>'],
  [
    'a description, whatever the order of its attributes',
    `<meta name="description" content="a"${mark}/><meta content="b" name="description"/>`,
    '<meta content="b" name="description"/>',
  ],
  [
    'a canonical link',
    `<link rel="canonical" href="/a"${mark}/><link rel="canonical" href="/b"/>`,
    '<link rel="canonical" href="/b"/>',
  ],
  [
    'theme colours, of which a component may render several',
    `<meta name="theme-color" content="a"${mark}/><meta name="theme-color" content="b"/><meta name="theme-color" content="c"/>`,
    '<meta name="theme-color" content="b"/><meta name="theme-color" content="c"/>',
  ],
  [
    'an image with its details',
    `<meta property="og:image" content="a"${mark}/><meta property="og:image:alt" content="a"${mark}/><meta property="og:image" content="b"/>`,
    '<meta property="og:image" content="b"/>',
  ],
])('a rendered tag replaces %s', (_, head, expected) => {
  expect(withoutReplacedTags(document(head))).toBe(document(expected))
})

test.each([
  '<meta name="robots" content="noindex"/><meta name="robots" content="index"/>',
  '<link rel="icon" href="/a.png"/><link rel="icon" href="/b.png"/>',
  `<script>"<title>a</title><title>b</title>"</script><title>c</title>`,
  `<meta name="description" content="a"${mark}/><meta name="keywords" content="b"/>`,
  `<meta name="author" content="name=&quot;description&quot;"/><meta name="description" content="a"${mark}/>`,
])('other tags stay: %s', (head) => {
  expect(withoutReplacedTags(document(head))).toBe(document(head))
})

test('the title of the metadata loses its mark, so that simple programs find it', () => {
  const head = `<title${mark}>a</title>`
  expect(withoutReplacedTags(document(head))).toBe(document('<title>a</title>'))
})

test('a late title is followed by a script with a nonce', () => {
  expect(withMovedTitles('<title>a</title>', ' nonce="n1"')).toMatch(
    /^<title>a<\/title><script nonce="n1">.*prepend.*<\/script>$/,
  )
})
