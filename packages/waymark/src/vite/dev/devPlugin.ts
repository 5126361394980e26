import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  isRunnableDevEnvironment,
  type Plugin,
  type RunnableDevEnvironment,
  type ViteDevServer,
} from 'vite'
import { readOrigin, readTarget } from '../../node/origin.ts'
import { refuse } from '../../node/refuse.ts'
import { createServerRequest } from '../../node/request.ts'
import { writeAnswer } from '../../node/respond.ts'
import type { Handle } from '../../shared/answer.ts'
import { entries } from '../environmentsPlugin.ts'

/** Answers the requests that Vite's own dev server leaves over, through the app's handler. */
export function devPlugin(): Plugin {
  return {
    name: 'waymark:dev',
    configureServer(server) {
      const rsc = runnable(server)
      return () => {
        server.middlewares.use((req, res, next) => {
          answer(rsc, req, res).catch(next)
        })
      }
    },
  }
}

async function answer(
  rsc: RunnableDevEnvironment,
  req: IncomingMessage & { originalUrl?: string | undefined },
  res: ServerResponse,
): Promise<void> {
  const origin = readOrigin(req, () => false)
  const target = readTarget(req.originalUrl ?? req.url)
  if (origin === null || target === null) return refuse(res, 400, ['connection', 'close'])
  const entry: { handle: Handle } = await rsc.runner.import(entries.rsc)
  const request = createServerRequest(req, res, { origin, target })
  await writeAnswer(res, await entry.handle(request))
}

function runnable({ environments }: ViteDevServer): RunnableDevEnvironment {
  const { rsc } = environments
  if (!rsc || !isRunnableDevEnvironment(rsc))
    throw new Error('The rsc environment can not run modules.')
  return rsc
}
