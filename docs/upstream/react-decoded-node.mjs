// npm install --legacy-peer-deps react@19.3.1 react-dom@19.3.1 react-server-dom-webpack@19.3.1
// node react-decoded-node.mjs
import { Readable } from 'node:stream'

globalThis.__webpack_require__ = {}
const { createFromNodeStream } = await import('react-server-dom-webpack/client.node')

// One of two children has arrived. The stream stays open.
const stream = new Readable({ read() {} })
stream.push(
  '0:["$","main",null,{"children":["$L1","$L2"]}]\n1:["$","p",null,{"children":"here"}]\n',
)
const page = await createFromNodeStream(stream, {
  moduleMap: null,
  serverModuleMap: null,
  moduleLoading: null,
})
const [here, late] = page.props.children
console.log('arrived:', Object.keys(here), 'not yet:', Object.keys(late))
for (const node of [here, late]) {
  try {
    console.log('only by private fields:', node._init(node._payload))
  } catch (thrown) {
    console.log('only by private fields: pending', typeof thrown.then === 'function')
  }
}
process.exit(1)
