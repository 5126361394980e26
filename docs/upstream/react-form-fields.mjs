// npm install --legacy-peer-deps react@19.3.1 react-dom@19.3.1 react-server-dom-webpack@19.3.1
// node react-form-fields.mjs
import { createElement } from 'react'
import { renderToPipeableStream } from 'react-dom/server'

globalThis.__webpack_require__ = {}
const { createServerReference } = await import('react-server-dom-webpack/client.node')

const save = createServerReference('file#save')
const form = createElement('form', { action: save.bind(null, 7) })
const { pipe } = renderToPipeableStream(form, { onAllReady: () => pipe(process.stdout) })
