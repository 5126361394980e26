import { setTimeout as sleep } from 'node:timers/promises'
import { after } from 'waymark/server'
import { log, readLog } from './log.ts'

export function GET(): Response {
  return Response.json(readLog())
}

/** Responds at once. The work continues after the response. */
export function POST(): Response {
  log('the handler responds')
  after(async () => {
    log('after() starts')
    await sleep(500)
    log('after() ends')
  })
  return Response.json({ status: 'accepted' }, { status: 202 })
}
