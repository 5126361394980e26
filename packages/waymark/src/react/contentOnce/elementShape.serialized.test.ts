import { expect, test } from 'vitest'
import { isSerialized } from './elementShape.ts'

test.each([
  'a text, "quoted" \'twice\'\n and longer',
  '&amp;&lt;&gt;',
  '<span class="keyword">import</span> { a } <span style="color:#f00;" data-line="1">from</span>',
  '<code><span><em>a</em></span></code><span></span>',
])('%j comes back from the DOM as it is', (html) => {
  expect(isSerialized(html)).toBe(true)
})

test.each([
  '',
  '\na',
  'a > b',
  'a & b',
  '&quot;',
  '&nbsp;',
  '\u00a0',
  '<b>a',
  'a</b>',
  '<b><i>a</b></i>',
  '<B>a</B>',
  '<br>',
  '<!--a-->',
  '<p>a</p>',
  '<a href="/">a</a>',
  '<button>a</button>',
  "<b title='a'>a</b>",
  '<b title=a>a</b>',
  '<b hidden>a</b>',
  '<b  title="a">a</b>',
  '<b title="a&b">a</b>',
  '<b title="<">a</b>',
  '<b title="\u00a0">a</b>',
  '<script>a</script>',
  '<b>'.repeat(101) + '</b>'.repeat(101),
])('%j may not', (html) => {
  expect(isSerialized(html)).toBe(false)
})

test('a long text is looked at once', () => {
  expect(isSerialized('&lt;'.repeat(1_000_000))).toBe(true)
  expect(isSerialized(`<b ${'a="" '.repeat(100_000)}`)).toBe(false)
})
