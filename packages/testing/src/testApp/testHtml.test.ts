import { describe, expect, test } from 'vitest'
import { findForm, payloadText } from './testHtml.ts'

const page = { path: '/cart', cookies: {} }
const form = (content: string, head = '') => `<form${head}>${content}</form>`

describe('a form of a page', () => {
  test('has the values from the page', () => {
    const html = form(
      [
        '<input type="hidden" name="$ACTION_ID_1"/><input name="a" value="&quot;1&quot; &amp; 2"/>',
        '<input type="checkbox" name="off"/><input type="checkbox" name="on" checked=""/>',
        '<textarea name="text">a &lt; b</textarea>',
        '<select name="size"><option value="s">S</option><option value="m" selected="">M</option></select>',
        '<button type="submit" name="x">Add</button>',
      ].join(''),
    )
    expect(findForm(html, undefined, page)).toEqual({
      ...page,
      fields: [
        ['$ACTION_ID_1', ''],
        ['a', '"1" & 2'],
        ['on', 'on'],
        ['text', 'a < b'],
        ['size', 'm'],
      ],
    })
  })

  test('is found by its id, or by a text in it', () => {
    const html = form('<button>Add</button>', ' id="one" action="/x"') + form('<b>Remove</b> it')
    expect(findForm(html, 'one', page).path).toBe('/x')
    expect(findForm(html, 'Remove it', page).path).toBe('/cart')
    expect(() => findForm(html, undefined, page)).toThrow('The forms are: one | Remove it')
    expect(() => findForm('', 'a', page)).toThrow('The page has no forms')
  })
})

test('a form is found by its name, even if another form contains the name as text', () => {
  const html =
    form('<button>sign-in</button>', ' action="/other"') +
    form('<button>Go</button>', ' name="sign-in" action="/enter"')
  expect(findForm(html, 'sign-in', page).path).toBe('/enter')
  expect(() => findForm(html, 'none', page)).toThrow('The forms are: sign-in | sign-in')
})

describe('the payload of a document', () => {
  test('is read from a block or from scripts', () => {
    const block = '<script type="text/x-component" data-x>0:"\\u003cb>"\n#\n</script>'
    expect(payloadText(block)).toBe('0:"<b>"\n')
    const push = (list: string) => `<script>(self.__waymark??=[]).push(${list})</script>`
    expect(payloadText(push('true,"0:1"') + push('"\\u003c"') + push('["AAA="]'))).toBe('0:1<')
    expect(payloadText('<p>no page</p>')).toBeNull()
  })
})
