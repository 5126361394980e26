import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { referToHtml } from './referToHtml.ts'

type Tuple = ['$', string, string | null, Record<string, unknown>]

/** A payload of one page, in a layout that says nothing. */
function payloadOf(page: unknown, rows = ''): string {
  const tree = { key: '/', slots: { children: { key: '/#page' } } }
  return `0:${JSON.stringify({ tree, segments: { '/': '$L9', '/#page': page } })}\n${rows}8:"${'x'.repeat(2000)}"\n`
}

function pageOf(text: string): unknown {
  const line = text.split('\n').find((each) => each.startsWith('0:')) ?? ''
  return JSON.parse(line.slice(2)).segments['/#page']
}

/** What React makes of a row. */
function decoded(node: unknown): ReactNode {
  if (node === '$undefined') return undefined
  if (typeof node === 'string' && node.startsWith('$')) return node.slice(1)
  if (!Array.isArray(node)) return node as ReactNode
  if (node[0] !== '$') return node.map(decoded)
  const [, type, key, { children, ...props }] = node as Tuple
  for (const prop in props) if (typeof props[prop] === 'string') props[prop] = decoded(props[prop])
  const all = children === undefined ? {} : { children: decoded(children) }
  return createElement(type, { ...props, ...all, key })
}

const long = 'a text that is long enough to be worth it, and then some more of it. '.repeat(3)

test.each([
  [
    'texts beside each other',
    ['p', null, { children: [long, 'a', 1, '', 'b', null, 2, [3, 'c']] }],
  ],
  ['entities', ['p', null, { children: `${long}<b>&"'</b>` }]],
  ['a text that begins like a reference', ['p', null, { children: ['$$1', long] }]],
  [
    'attributes',
    [
      'div',
      null,
      {
        children: [
          '$',
          'a',
          null,
          {
            className: 'a "b"',
            href: '/?a&b',
            title: "it's",
            'data-x': '<',
            'aria-label': long,
            hrefLang: 'en',
            tabIndex: '$undefined',
            children: long,
          },
        ],
      },
    ],
  ],
  [
    'void elements',
    ['p', null, { children: [long, ['$', 'br', null, {}], ['$', 'wbr', null, {}]] }],
  ],
  [
    'an icon',
    [
      'p',
      null,
      {
        children: [
          long,
          [
            '$',
            'svg',
            null,
            {
              viewBox: '0 0 1 1',
              xmlns: 'http://www.w3.org/2000/svg',
              fillRule: 'evenodd',
              children: ['$', 'path', null, { d: 'M0 0', strokeWidth: '2' }],
            },
          ],
        ],
      },
    ],
  ],
  [
    'what only React writes',
    [
      'div',
      null,
      {
        children: [
          ['$', 'pre', null, { children: `\n${long}` }],
          ['$', 'img', null, { src: '/a.png', alt: long }],
          ['$', 'p', null, { style: { marginTop: 4 }, hidden: true, children: long }],
        ],
      },
    ],
  ],
  [
    'HTML of the app that is as a parser leaves it',
    [
      'figure',
      null,
      {
        children: [
          ['$', 'code', null, { dangerouslySetInnerHTML: { __html: `<b>a</b> &lt; "${long}"` } }],
          ['$', 'code', null, { dangerouslySetInnerHTML: { __html: '$$1' } }],
          ['$', 'button', null, { type: 'button', title: 'Copy', children: ['a', long] }],
        ],
      },
    ],
  ],
  [
    'a list with keys',
    [
      'ul',
      null,
      {
        children: [
          ['$', 'li', 'a', { children: long }],
          ['$', 'li', 'b', { children: long }],
        ],
      },
    ],
  ],
])('%s are written as React does', (_, [type, key, props]) => {
  const tuple = ['$', type, key, props]
  const reduced = referToHtml(payloadOf(tuple))
  const marked = pageOf(reduced?.decodable ?? '')
  expect(pageOf(reduced?.text ?? '')).toBe('$~0')
  expect(reduced?.complete(renderToString(decoded(marked)))).toBe(renderToString(decoded(tuple)))
})

const list = ['$', 'ul', null, { children: ['$', 'li', null, { children: long }] }]

test.each([
  ['a component inside', ['$', 'div', null, { children: ['$', '$L1', null, {}] }]],
  ['a part that comes later', ['$', 'div', null, { children: '$L1' }]],
  ['a form control', ['$', 'div', null, { children: ['$', 'input', null, {}] }]],
  [
    'HTML of the app that a parser may change',
    ['$', 'div', null, { dangerouslySetInnerHTML: { __html: `<p>${long}` } }],
  ],
  ['what opens and closes', ['$', 'details', null, { children: 'more' }]],
  ['elements that a parser moves', ['$', 'p', null, { children: ['$', 'div', null, {}] }]],
  [
    'titles, which React moves',
    ['$', 'div', null, { children: ['$', 'title', null, { children: 'x' }] }],
  ],
  ['a text that a parser changes', ['$', 'p', null, { children: '\r' }]],
  ['an element with the properties of another', ['$', 'p', 'a', '$0:tree']],
])('%s stays in the payload', (_, node) => {
  const text = payloadOf(['$', 'section', null, { children: [node, list] }])
  const page = pageOf(referToHtml(text)?.text ?? text) as Tuple
  expect((page[3].children as unknown[])[0]).toEqual(node)
})

test('what stands between unknown numbers of elements stays, too', () => {
  const unknown = ['$', '$L1', null, {}]
  const at = (children: unknown) => {
    const text = payloadOf(['$', 'div', null, { children }])
    return (pageOf(referToHtml(text)?.text ?? text) as Tuple)[3].children
  }
  expect(at([list, unknown])).toEqual(['$~0', unknown])
  expect(at([unknown, list])).toEqual([unknown, '$~0'])
  expect(at([unknown, list, unknown])).toEqual([unknown, list, unknown])
})

test('what React moves to the head is not counted, and a script is', () => {
  const style = ['$', 'link', null, { rel: 'stylesheet', href: '/a.css', precedence: 'a' }]
  const script = ['$', 'script', null, { src: '/a.js' }]
  const reduced = referToHtml(payloadOf(['$', 'div', null, { children: [style, script, list] }]))
  expect(reduced?.text).toContain('*[1]/*[2]"')
})

test('a short payload stays as it is', () => {
  expect(referToHtml(payloadOf(list).replace(/8:.*\n/, ''))).toBe(null)
})

test('rows that are used once become a part of what refers to them', () => {
  const rows = `2:${JSON.stringify(list)}\n`
  const text = payloadOf(['$', 'div', null, { children: [list, '$L2'] }], rows)
  expect(referToHtml(text)?.text).not.toContain('\n2:')
  const twice = payloadOf(['$', 'div', null, { children: [list, '$L2', '$L2'] }], rows)
  expect(referToHtml(twice)?.text).toContain('\n2:')
})

test('what others refer into is still there for React', () => {
  const text = payloadOf(['$', '$L1', null, { style: '$0:segments:/#page:props:children' }])
  expect(referToHtml(text)).toBe(null)
  const shared = payloadOf([
    '$',
    'div',
    null,
    { children: [list, ['$', '$L1', null, { a: '$0:segments' }]] },
  ])
  expect((pageOf(referToHtml(shared)?.decodable ?? '') as Tuple)[3].children).toContainEqual(list)
})

test('what others refer into leaves the rest of its row to be written without React', () => {
  const component = ['$', '$L1', null, { a: '$0:segments:/#page:props:children:0:props' }]
  const text = payloadOf(['$', 'div', null, { children: [list, component, list] }])
  const { children } = (pageOf(referToHtml(text)?.decodable ?? '') as Tuple)[3]
  const [first, , last] = children as Tuple[]
  expect(first).toEqual(list)
  expect(last?.[3]).toHaveProperty('dangerouslySetInnerHTML')
})

test('a payload whose data has a name like a reference stays as it is', () => {
  const client = ['$', '$L1', null, { data: { '$~0': 'from a person' } }]
  const text = payloadOf(['$', 'div', null, { children: [client, list] }])
  expect(referToHtml(text)).toBe(null)
})

test('elements stand in each other as deep as content likes', () => {
  const levels = 20_000
  const open = '["$","div",null,{"children":'.repeat(levels)
  const payload = payloadOf(
    ['$', 'p', null, { children: long }],
    `9:${open}1${'}]'.repeat(levels)}\n`,
  )
  expect(referToHtml(payload)?.text).toContain('"$~0"')
})

test('a payload that comes again and again is shortened once, and for each document alike', () => {
  const text = payloadOf(['$', 'p', null, { children: long }], '9:"again"\n')
  const [first, second, third] = [referToHtml(text), referToHtml(text), referToHtml(text)]
  expect(third).toBe(second)
  expect(third?.text).toBe(first?.text)
  expect(third?.slots).toBe(first?.slots)
  const other = referToHtml(payloadOf(['$', 'p', null, { children: `${long}!` }], '9:"again"\n'))
  expect(other).not.toBe(third)
})
