import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { actionId } from './actionId.ts'
import { type App, startApp } from './app.ts'

/**
 * Starts two servers of the app `fleet`, and checks that a submission runs only once although both
 * servers receive it. After one server is killed, a third server must not run the submission again
 * either.
 */
export async function expectRunsOnce(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-notes-'))
  const writesFile = join(folder, 'writes.txt')
  const apps: App[] = []
  const start = async (count: number) => {
    // Set the variables in this process's environment, which servers inherit. The build doesn't
    // depend on these variables, so it can be shared.
    Object.assign(process.env, env, { WRITES_FILE: writesFile })
    const starting = Array.from({ length: count }, () =>
      startApp({ app: 'fleet', mode: 'production' }),
    )
    apps.push(...(await Promise.all(starting)))
    for (const name of [...Object.keys(env), 'WRITES_FILE']) delete process.env[name]
  }
  onTestFinished(async () => {
    await Promise.all(apps.filter((app) => app.exitCode() === null).map((app) => app.stop()))
    rmSync(folder, { recursive: true, force: true })
  })
  await start(2)
  const [one, other] = apps as [App, App]
  const id = actionId(one, 'addNote')
  const send = async ({ origin }: { origin: string }, text: string, key: string, cookie = '') => {
    const body = new FormData()
    body.append('_1_text', text)
    body.append('0', '["","$K1"]')
    const headers = {
      'waymark-action': id,
      'waymark-idempotency-key': key,
      'sec-fetch-site': 'same-origin',
      ...(cookie && { cookie }),
    }
    const answer = await fetch(`${origin}/notes`, { method: 'POST', headers, body })
    return [answer.status, (await answer.text()).includes(`"${text}"`)]
  }
  const written = (text: string) =>
    readFileSync(writesFile, 'utf8')
      .split('\n')
      .filter((line) => line === text).length

  for (let round = 0; round < 5; round++) {
    const text = `at once ${round}`
    const key = `${text.replaceAll(' ', '-')}-${process.pid}-${Date.now()}`
    const answers = await Promise.all([one, other, one, other].map((app) => send(app, text, key)))
    expect(answers).toEqual(Array(4).fill([200, true]))
    expect(written(text)).toBe(1)
  }
  const key = `one-after-another-${process.pid}-${Date.now()}`
  for (const app of [other, one, other]) {
    expect(await send(app, 'in turn', key)).toEqual([200, true])
  }
  expect(written('in turn')).toBe(1)
  expect(await send(one, 'another', `${key}-another`)).toEqual([200, true])
  expect((await send(other, 'changed', key))[0]).toBe(409)
  expect(written('changed')).toBe(0)
  await expectOneOwner([one, other], send)
  expect(written('of alice')).toBe(1)
  await one.kill()
  await start(1)
  expect(await send(apps[2] as App, 'in turn', key)).toEqual([200, true])
  expect(written('in turn')).toBe(1)
}

type Send = (app: App, text: string, key: string, cookie: string) => Promise<unknown>

/** Checks that every server knows who owns a stored response, no matter which server stored it. */
async function expectOneOwner(apps: readonly App[], send: Send): Promise<void> {
  const key = `of-alice-${process.pid}-${Date.now()}`
  const alice = 'session=alice'
  for (const app of apps) {
    expect(await send(app, 'of alice', key, alice)).toEqual([200, true])
    for (const cookie of ['session=bob', '']) {
      expect(await send(app, 'of alice', key, cookie)).toEqual([409, false])
    }
  }
}
