import { setTimeout as sleep } from 'node:timers/promises'
import { after } from 'waymark/server'
import { log, readLog } from './log.ts'

/** What has been logged. */
export function GET(): Response {
  return Response.json(readLog())
}

/** Answers at once, and goes on working. */
export function POST(): Response {
  log('the handler answers')
  after(async () => {
    log('after() begins')
    await sleep(500)
    log('after() ends')
  })
  return Response.json({ status: 'accepted' }, { status: 202 })
}
