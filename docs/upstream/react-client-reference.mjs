// npm install --legacy-peer-deps react@19.3.1 react-dom@19.3.1 react-server-dom-webpack@19.3.1
// node --conditions react-server react-client-reference.mjs
import * as flight from 'react-server-dom-webpack/server.node'

const Component = flight.registerClientReference(() => null, '/component.js', 'Component')
const names = Object.keys(flight).filter((name) => /reference/i.test(name))
console.log('exported:', names.join(', '))
console.log('all that tells them apart:', Component.$$typeof, Component.$$id)
process.exit(names.some((name) => name.startsWith('is')) ? 0 : 1)
