import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Form } from './Form.tsx'

test('renders a plain form with the method GET, which works without scripts', () => {
  const html = renderToStaticMarkup(
    <Form action="/search" scroll={false} className="search">
      <input name="q" />
    </Form>,
  )
  expect(html).toBe(
    '<form class="search" data-scroll="false" data-waymark-form="" action="/search" method="get"><input name="q"/></form>',
  )
})

test('removes and reports a target on another site', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const html = renderToStaticMarkup(<Form action={'//evil.example' as '/'}>x</Form>)
  expect(html).not.toContain('evil.example')
  expect(String(log.mock.calls[0])).toContain('LINK_TARGET')
  log.mockRestore()
})
