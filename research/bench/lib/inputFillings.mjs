/** The inputs of `input-length.mjs` for queries, headers, paths and forms. */

/** Repeats a unit up to a length. `#` in the unit becomes the number of the repetition. */
export function filled(unit, length) {
  if (!unit.includes('#')) return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  let text = ''
  for (let at = 0; text.length < length; at++) text += unit.replaceAll('#', String(at))
  return text.slice(0, length)
}

const queries = ['a', 'a&', 'a=1&', 'a=&', '&', '=', '=&', '#=&', 'a[]=1&', 'a[#]=1&', '%61&']
const moreQueries = ['%', '%zz', '+', '%C3%A9', '__proto__&', '?', '/', ';', 'a=b=', '&a=%26', '(']

const paths = [
  'a',
  '/a',
  '/%61',
  '/.',
  '/..',
  '/a/..',
  '//',
  '/a.',
  '/a;',
  '/@',
  '/[',
  '/%5B',
  '%25',
]
const morePaths = [
  '%252f',
  '%C3%A9',
  '%zz',
  '-',
  '/-',
  '.',
  '/...',
  '~',
  '/a/b',
  '/b',
  '/(',
  "'",
  '*',
]

const lists = [
  'a',
  ',',
  ';',
  'a,',
  'a;',
  'a=1;',
  'a=1,',
  '#=1;',
  'a;q=0,',
  'a;q=0.1,',
  'en-US,',
  '-',
]
const signs = [
  'a-',
  '=',
  '==',
  '"',
  '\\"',
  '"a',
  'W/"',
  'W/"a",',
  '0',
  '0-',
  '0-0,',
  '/',
  '*/*,',
  'a/b,',
]
const rest = [
  'a/',
  '%',
  '%61',
  '%C3%A9;',
  'a\t',
  'a ',
  ' ,',
  '.',
  'a.',
  ':',
  '[',
  '(',
  '((',
  '{',
  '<',
  '\\',
]
const values = [...lists, ...signs, ...rest]

const forwarded = ['1.1.1.1,', '::1,', '[::1]:1,', 'for=a;', 'for="[::1]",', 'http,', 'https://a,']
const languages = ['a-a-', 'en,', 'x-', '*-', 'de-DE-1996,']
const agents = ['bot', 'Mozilla/5.0 (', '+http://', 'spide']

/** Headers of a request for a document, each with the start of its value. */
const documentHeaders = {
  cookie: ['', 'session=', '__waymark_draft='],
  accept: ['', 'text/html'],
  'accept-language': [''],
  'accept-encoding': [''],
  'user-agent': [''],
  host: [''],
  authorization: ['Bearer '],
  referer: ['http://a/'],
  traceparent: ['', '00-'],
  forwarded: [''],
  'x-forwarded-for': [''],
  'x-forwarded-host': [''],
  'x-forwarded-proto': [''],
  'x-request-id': [''],
  'waymark-mounted': [''],
  'waymark-nonce': [''],
}

const cachedPageHeaders = {
  'if-none-match': [''],
  'if-match': ['', '*'],
  'if-range': [''],
  range: ['', 'bytes='],
  'if-modified-since': ['', 'Sun, '],
  'if-unmodified-since': ['', 'Sun, '],
  'accept-encoding': ['', 'br;q=0.1,'],
  cookie: [''],
}

const dataHeaders = {
  'waymark-mounted': ['', '/,'],
  'waymark-from': ['/', '/?'],
  'waymark-prefetch': [''],
  'waymark-final-status': [''],
  'waymark-nonce': [''],
}

const callHeaders = {
  'waymark-action': [''],
  'waymark-idempotency-key': [''],
  'waymark-from': ['/'],
  origin: ['', 'http://'],
  'sec-fetch-site': [''],
  'content-type': ['', 'multipart/form-data; boundary=', 'multipart/form-data;'],
}

const formFields = ['a=&', '#=&', 'a[]=&', '%61=&', '$ACTION_#=&', '$ACTION_ID_#=&', '__proto__=&']
const moreFields = [
  '$ACTION_REF_#=&',
  '$ACTION_REF_1=&',
  '$ACTION_1:#=&',
  'password=&',
  '%',
  'a',
  '=&',
]

/**
 * All that is asked: `{ subject, unit, build(length) }`, where `build` gives a request as
 * `{ method, path, headers, body }`.
 * @param action id of an action of the app
 */
export function inputSubjects(action) {
  return [
    ...queriesOf('query', '/x?'),
    ...queriesOf('query of page data', '/_waymark/data/x.rsc?'),
    ...queriesOf('query of an error', '/broken?'),
    ...pathsOf('path', '/'),
    ...pathsOf('path of page data', '/_waymark/data/'),
    ...headersOf('', { path: '/x' }, documentHeaders),
    ...headersOf(' (kept page)', { path: '/cached' }, cachedPageHeaders),
    ...headersOf(' (page data)', { path: '/_waymark/data/x.rsc' }, dataHeaders),
    ...headersOf(' (call)', callOf(action), callHeaders),
    ...headersOf(
      ' (error)',
      { path: '/broken' },
      { 'user-agent': [''], cookie: [''], referer: [''] },
    ),
    ...urlencodedOf(action),
    ...multipartOf(action),
  ]
}

function queriesOf(subject, path) {
  return [...queries, ...moreQueries].map((unit) => ({
    subject,
    unit,
    build: (length) => ({ path: path + filled(unit, length) }),
  }))
}

function pathsOf(subject, start) {
  return [...paths, ...morePaths].map((unit) => ({
    subject,
    unit,
    build: (length) => ({ path: (start + filled(unit, length)).replace(/^\/\//, '/x/') }),
  }))
}

function headersOf(suffix, request, prefixesByName) {
  return Object.entries(prefixesByName).flatMap(([name, prefixes]) =>
    prefixes.flatMap((prefix) =>
      [...values, ...extraValues(name)].map((unit) => ({
        subject: `${name}${suffix}`,
        unit: prefix + unit,
        build: (length) => ({
          ...request,
          headers: { ...request.headers, [name]: (prefix + filled(unit, length)).trim() },
        }),
      })),
    ),
  )
}

function extraValues(name) {
  if (name.includes('forwarded')) return forwarded
  if (name === 'accept-language') return languages
  return name === 'user-agent' ? agents : []
}

function callOf(action) {
  const headers = { 'waymark-action': action, 'content-type': 'text/plain;charset=UTF-8' }
  return { method: 'POST', path: '/', headers, body: '[{}]' }
}

function urlencodedOf(action) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return [...formFields, ...moreFields].map((unit) => ({
    subject: 'form names, urlencoded',
    unit,
    build: (length) => {
      const body = `${filled(unit, length)}&$ACTION_ID_${action}=`
      return { method: 'POST', path: '/', headers, body }
    },
  }))
}

function multipartOf(action) {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const part = (name) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n\r\n`
  const names = ['a', 'field-#', '$ACTION_#', '$ACTION_ID_#', '$ACTION_REF_#', '$ACTION_1:#', '%22']
  const units = [...names.map(part), '--b\r\n', '--b', '\r\n', '-', 'a']
  return units.map((unit) => ({
    subject: 'form names, multipart',
    unit: unit.replaceAll('\r\n', '↵').slice(0, 60),
    build: (length) => {
      const end = `${part(`$ACTION_ID_${action}`)}--b--\r\n`
      return { method: 'POST', path: '/', headers, body: `${whole(unit, length)}\r\n${end}` }
    },
  }))
}

// If a part were cut in the middle, the whole body would be invalid.
function whole(unit, length) {
  const text = filled(unit, length)
  const lastPart = text.lastIndexOf('--b\r\ncontent')
  return lastPart > 0 ? text.slice(0, lastPart) : text
}
