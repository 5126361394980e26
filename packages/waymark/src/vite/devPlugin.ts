import type { Plugin, RunnableDevEnvironment } from 'vite'
import { createServerRequest } from '../node/request.ts'
import { writeAnswer } from '../node/respond.ts'
import type { Handle } from '../shared/answer.ts'
import { entries } from './environmentsPlugin.ts'

/** Answers the requests that Vite's own dev server leaves over, through the app's handler. */
export function devPlugin(): Plugin {
  return {
    name: 'waymark:dev',
    configureServer(server) {
      const rsc = server.environments.rsc as RunnableDevEnvironment
      return () => {
        server.middlewares.use(async (req, res, next) => {
          try {
            req.url = req.originalUrl ?? req.url
            const entry: { handle: Handle } = await rsc.runner.import(entries.rsc)
            const request = createServerRequest(req, res, {
              origin: `http://${req.headers.host}`,
              target: req.url ?? '/',
            })
            await writeAnswer(res, await entry.handle(request))
          } catch (error) {
            next(error)
          }
        })
      }
    },
  }
}
