/**
 * Does the same as `react-router-serve`, but logs no line for each request: `node server.mjs PORT`.
 */
import { createRequestHandler } from '@react-router/express'
import compression from 'compression'
import express from 'express'

const app = express().disable('x-powered-by').use(compression())
app.use('/assets', express.static('build/client/assets', { immutable: true, maxAge: '1y' }))
app.use(express.static('build/client', { maxAge: '1h' }))
app.use(
  createRequestHandler({ build: await import('./build/server/index.js'), mode: 'production' }),
)
app.listen(Number(process.argv[2]), '127.0.0.1')
