// npm install react@19.3.1 react-dom@19.3.1 jsdom
// node react-early-input.mjs
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('<div id="root"></div>')
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })
Object.defineProperty(globalThis, 'navigator', { value: window.navigator })
const { act, createElement, useState } = await import('react')
const { hydrateRoot } = await import('react-dom/client')
const { renderToString } = await import('react-dom/server')

const heard = []
function Search() {
  const [value, setValue] = useState('')
  const onChange = ({ target }) => {
    heard.push(target.value)
    setValue(target.value)
  }
  return createElement('input', { value, onChange })
}
const root = document.getElementById('root')
root.innerHTML = renderToString(createElement(Search))
const field = root.querySelector('input')

/** Changes the field as a browser does when somebody types. */
function type(text) {
  const { set } = Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, 'value')
  set.call(field, text)
  field.dispatchEvent(new window.Event('input', { bubbles: true }))
}

type('typed early')
await act(() => {
  hydrateRoot(root, createElement(Search))
})
console.log('after hydration the field has', JSON.stringify(field.value), 'and heard', heard)
// An event after hydration does not help: React has stored this value, so it sees no change.
await act(() => {
  field.dispatchEvent(new window.Event('input', { bubbles: true }))
})
console.log('after an event the field has', JSON.stringify(field.value), 'and heard', heard)
