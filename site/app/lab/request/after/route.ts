import { setTimeout as sleep } from 'node:timers/promises'
import { after } from 'waymark/server'
import { log, readLog } from './log.ts'

/** Returns the log. */
export function GET(): Response {
  return Response.json(readLog())
}

/** Responds at once and continues to work. */
export function POST(): Response {
  log('the handler responds')
  after(async () => {
    log('after() starts')
    await sleep(500)
    log('after() ends')
  })
  return Response.json({ status: 'accepted' }, { status: 202 })
}
