import { Agent, get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

type Answer = { readonly status: number; readonly headers: unknown; readonly text: string }
type Health = { status: string; waitingRequests: number; refusedRequests: number }

describeModes('an overloaded server', { app: 'overload', modes: ['production'] }, (served) => {
  const health = async () => (await (await served.fetch('/_waymark/health/ready')).json()) as Health

  /** Sends requests at a steady rate, whether or not earlier ones have a response. */
  function startLoad(path = '/busy', headers: Readonly<Record<string, string>> = {}) {
    const agent = new Agent({ keepAlive: true, maxSockets: 500 })
    const answers: Promise<Answer>[] = []
    const send = () => answers.push(request(served.url(path), { agent, headers }))
    const timer = setInterval(() => {
      for (let count = 0; count < 3; count++) send()
    }, 10)
    const end = async () => {
      clearInterval(timer)
      const all = await Promise.all(answers)
      agent.destroy()
      return all
    }
    onTestFinished(() => void end())
    return { end }
  }

  const isOverloaded = (after: Health) => async () =>
    (await health()).refusedRequests > after.refusedRequests + 20

  test('below the bounds, no request is refused', async () => {
    const before = await health()
    const agent = new Agent({ keepAlive: true })
    const burst = Array.from({ length: 20 }, () => request(served.url('/busy'), { agent }))
    const statuses = (await Promise.all(burst)).map(({ status }) => status)
    agent.destroy()
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await health()).refusedRequests).toBe(before.refusedRequests)
  })

  test('the rest gets a 503 with its screen, while health and files are served', async () => {
    // The server knows a page of the build once it was requested.
    expect((await served.fetch('/')).status).toBe(200)
    const before = await health()
    const load = startLoad('/busy', { accept: 'text/html' })
    await expect.poll(isOverloaded(before), { timeout: 20_000 }).toBe(true)
    expect(await health()).toMatchObject({ status: 'ready' })
    expect((await served.fetch('/')).status).toBe(200)
    const answers = await load.end()
    const refused = answers.filter(({ status }) => status === 503)
    expect(answers.filter(({ status }) => status !== 503 && status !== 200)).toEqual([])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { headers, text } of refused) {
      expect(headers).toMatchObject({
        'retry-after': expect.stringMatching(/^[1-3]$/),
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        vary: 'accept',
        connection: 'keep-alive',
      })
      expect(text).toContain('This site is busy')
    }
    await expect.poll(async () => (await health()).waitingRequests).toBe(0)
    expect((await served.fetch('/busy')).status).toBe(200)
    expect(served.app.logs().match(/The server is overloaded/g)).toHaveLength(1)
  })

  test('page data gets a 503 without a body, and no header gets past the bound', async () => {
    const before = await health()
    const claims = {
      'x-forwarded-for': '127.0.0.1',
      'waymark-final-status': '1',
      'waymark-fresh': '1',
      'x-waymark-refused': '0',
      priority: 'u=0',
    }
    const load = startLoad('/_waymark/data/busy.rsc', claims)
    await expect.poll(isOverloaded(before), { timeout: 20_000 }).toBe(true)
    const refused = (await load.end()).filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(20)
    expect(new Set(refused.map(({ text }) => text))).toEqual(new Set(['']))
  })

  test('a click and an action arrive without another click', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    const link = page.getByRole('link')
    const before = await health()
    const load = startLoad()
    await expect.poll(isOverloaded(before), { timeout: 20_000 }).toBe(true)
    await link.click()
    await load.end()
    await page.getByRole('heading', { name: 'Busy, from home' }).waitFor()
    const button = page.getByRole('button', { name: 'Save' })
    await hydratedElement(button)
    const again = startLoad()
    const middle = await health()
    await expect.poll(isOverloaded(middle), { timeout: 20_000 }).toBe(true)
    await button.click()
    await again.end()
    await page.getByText('saved 1').waitFor()
  })
})

function request(
  url: string,
  options: { readonly agent: Agent; readonly headers?: Readonly<Record<string, string>> },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = get(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
  })
}
