// npm install react@19.3.1 react-dom@19.3.1 jsdom
// node react-translated-text.mjs
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('<div id="a"></div><div id="b"><p>Hello</p></div>')
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })
Object.defineProperty(globalThis, 'navigator', { value: window.navigator })
const { act, createElement, useState } = await import('react')
const { createRoot, hydrateRoot } = await import('react-dom/client')

/** Translates a page as browsers do: two elements replace each text. */
function translate(text) {
  const font = document.createElement('font')
  font.append(document.createElement('font'))
  font.firstChild.append(`«${text.nodeValue}»`)
  text.replaceWith(font)
}

let setShown
function Part() {
  const [isShown, set] = useState(true)
  setShown = set
  return createElement('p', null, isShown && 'Hello', createElement('b', null, 'there'))
}
const container = document.getElementById('a')
const root = createRoot(container)
await act(() => root.render(createElement(Part)))
translate(container.querySelector('p').firstChild)
try {
  await act(async () => setShown(false))
} catch (error) {
  console.log('in the update:', String(error))
}
console.log('the page:', JSON.stringify(container.innerHTML))

const second = document.getElementById('b')
translate(second.querySelector('p').firstChild)
const onRecoverableError = (error) => console.log('in hydration:', String(error).split('\n')[0])
await act(() => {
  hydrateRoot(second, createElement('p', null, 'Hello'), { onRecoverableError })
})
console.log('the page:', JSON.stringify(second.innerHTML))
