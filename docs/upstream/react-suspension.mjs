// npm install --legacy-peer-deps react@19.3.1 react-dom@19.3.1 react-server-dom-webpack@19.3.1
// node --conditions react-server react-suspension.mjs
import * as React from 'react'

globalThis.__webpack_require__ = {}
const { renderToPipeableStream } = await import('react-server-dom-webpack/server.node')

/** Runs a component and observes how it ends, like a framework whose layouts guard their content. */
function observed(component) {
  return function Observed() {
    try {
      return component()
    } catch (thrown) {
      console.log('failed, or waits?', thrown.constructor.name, '|', thrown.message.slice(0, 48))
      throw thrown
    }
  }
}
const later = new Promise((resolve) => setTimeout(resolve, 10))
const Waits = observed(() => React.use(later))
const Fails = observed(() => {
  throw new Error('Nobody may see this.')
})
for (const component of [Waits, Fails]) {
  renderToPipeableStream(React.createElement(component), { onError() {} })
}
const names = Object.keys(React).filter((name) => /suspension|interrupt/i.test(name))
process.exitCode = names.length > 0 ? 0 : 1
