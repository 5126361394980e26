import { expect, test, vi } from 'vitest'
import { checkedHref, hrefProblem } from './html.ts'

test.each([
  '/',
  '/a//b',
  '/a:b',
  'a',
  './a',
  '?a=//b',
  '#a',
  '',
  'https://example.com',
  'http://example.com//a',
  'mailto:a@example.com',
  'tel:+1',
  'sms:+1',
  '/javascript:alert(1)',
  './javascript:alert(1)',
])('%j is a safe link', (href) => {
  expect(hrefProblem(href)).toBeNull()
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\n//evil.example',
  ' //evil.example',
  '\u0000//evil.example',
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript\r:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://example.com/1',
])('%j is refused, as a browser would parse it', (href) => {
  // Parse the link as a browser would, to prove that following it would leave the site or run a script.
  const url = new URL(href, 'https://site.example/a')
  expect(url.origin).not.toBe('https://site.example')
  expect(hrefProblem(href)?.code).toBe('LINK_TARGET')
})

test('an unsafe link from user input has no target, and is reported', () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(checkedHref('javascript:alert(1)')).toBeUndefined()
  expect(consoleError).toHaveBeenCalledOnce()
  expect(checkedHref('/a')).toBe('/a')
  expect(consoleError).toHaveBeenCalledOnce()
  consoleError.mockRestore()
})
