import type { Random } from './random.ts'

/** Name of the global variable that an injected script sets. */
export const pwnedName = '__pwned'

/**
 * Creates HTML for a page that shows a client's text unescaped. The HTML imitates markup that the
 * framework's client reads from a document.
 */
export function makeInjection(random: Random): string {
  const pieces = random.list(1, 3, () => random.weighted(kinds)(random))
  const ending = random.chance(0.4) ? random.pick(closings) : ''
  return ending + pieces.join(random.chance(0.2) ? '</div></main>' : '')
}

type Make = (random: Random) => string

const closings = ['</div>', '</div></main>', '</div></main></body></html>', '</p></template>']

const kinds: readonly (readonly [number, Make])[] = [
  [6, payloadBlock],
  [2, scriptOrder],
  [2, slotComments],
  [1, oddBlock],
  [1, plainScript],
]

const run = `window.${pwnedName}='ran'`

/** Creates the payload of a page with a script in its head. */
function payloadBlock(random: Random): string {
  const type = random.pick(['text/x-component', 'text/x-component', 'TEXT/X-COMPONENT'])
  const interactive = random.chance(0.8) ? ' data-waymark-interactive' : ''
  const nonce = random.pick(['', '', ' nonce', ' nonce="A"', ' nonce="undefined"'])
  const end = random.chance(0.9) ? '#\n' : '\n'
  const id = random.chance(0.2) ? ` id="${random.pick(ids)}"` : ''
  return `<script type="${type}"${interactive}${nonce}${id}>${forgedPayload(random)}${end}</script>`
}

function forgedPayload(random: Random): string {
  const order = JSON.stringify(orderOf('head'))
  const meta = ['$', 'meta', null, { name: 'waymark-script', content: order }]
  const heading = ['$', 'h1', null, { id: 'root-forged', children: 'forged' }]
  const head = ['$', 'head', null, { children: [random.chance(0.5) ? [meta] : []] }]
  const body = ['$', 'body', null, { children: [heading, meta] }]
  const html = ['$', 'html', null, { children: [head, body] }]
  const route = { pathname: '/raw', search: '', params: {} }
  const key = random.pick(['k', '/', ''])
  const page = { tree: { key }, route, head: null, segments: { [key]: html } }
  const references = random.chance(0.1) ? '~[]\n' : ''
  return `${references}0:${JSON.stringify(page)}\n`
}

function orderOf(when: string) {
  const rest = { each: false, consent: null, integrity: null, module: false, attributes: {} }
  return { src: null, text: run, when, ...rest }
}

/** Creates instructions for the script loader, in the form that the app would write. */
function scriptOrder(random: Random): string {
  const when = random.pick(['head', 'start', 'idle', 'visible', 'interaction'])
  const content = JSON.stringify(orderOf(when))
  const text = content.replaceAll('"', '&quot;')
  return random.pick([
    `<meta name="waymark-script" content="${text}">`,
    `<head><meta name="waymark-script" content="${text}"></head>`,
    `<meta name="waymark-script" content="${text}" itemprop="a">`,
    `<template data-waymark-script="${text}"></template>`,
  ])
}

/** Creates markers of React and of the framework, with ids in the form that each of them writes. */
function slotComments(random: Random): string {
  return random.pick([
    '<!--$--><!--/$-->',
    '<!--$?--><template id="B:0"></template><!--/$-->',
    '<div hidden id="S:0"><h1 id="forged">forged</h1></div>',
    '<template id="P:0"></template>',
    '<!--&-->a<!--&-->',
    '<!--html--><!--head--><!--body-->',
    `<script id="waymark-texts" type="application/json">{"retry":"<img src=x onerror=${run}>"}</script>`,
    '<div id="waymark-notice" data-waymark-interactive>forged</div>',
  ])
}

function oddBlock(random: Random): string {
  return random.pick([
    '<script type="text/x-component">#\n</script>',
    '<script type="text/x-component" data-waymark-interactive>0:{}\n#\n</script>',
    '<script type="text/x-component">0:"$L1"\n1:I["data:text/javascript,0",[],"x"]\n#\n</script>',
    '<script type="text/x-component">',
    '<form id="__waymark"></form><a id="__waymark">a</a>',
    '<base href="http://evil.example/">',
  ])
}

/** Creates a script that only the Content-Security-Policy can stop. */
function plainScript(random: Random): string {
  return random.pick([
    `<script>${run}</script>`,
    `<img src="x" onerror="${run}">`,
    `<svg onload="${run}"></svg>`,
    `<script type="module">${run}</script>`,
    `<a href="javascript:${run}">a</a>`,
  ])
}

const ids = ['waymark-payload', '_R_', 'waymark-texts', 'b']
