// npm install --legacy-peer-deps react@19.3.1 react-dom@19.3.1 react-server-dom-webpack@19.3.1
// node --conditions react-server react-payload-text.mjs write > payload && node react-payload-text.mjs
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'

globalThis.__webpack_require__ = {}

if (process.argv[2] === 'write') {
  const { renderToPipeableStream } = await import('react-server-dom-webpack/server.node')
  renderToPipeableStream({ text: 'é'.repeat(2_000), short: 'abc' }, {}).pipe(process.stdout)
} else {
  const { createFromNodeStream } = await import('react-server-dom-webpack/client.node')
  const bytes = readFileSync('payload')
  for (const payload of [bytes, bytes.toString()]) {
    const manifest = { moduleMap: null, serverModuleMap: null, moduleLoading: null }
    const stream = Readable.from([payload], { objectMode: true })
    const decoding = createFromNodeStream(stream, manifest)
    await decoding.then(
      ({ text }) => console.log(typeof payload, text.length),
      (thrown) => console.log(typeof payload, String(thrown)),
    )
  }
}
