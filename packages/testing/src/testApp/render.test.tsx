import { type ReactNode, Suspense, useState } from 'react'
import { describe, expect, test } from 'vitest'
import { notFound, redirect } from 'waymark'
import { useParams, usePathname, useSearchParams } from 'waymark/client'
import { cached, cacheTag, cookies, headers } from 'waymark/server'
import { render } from './render.tsx'

function Counter({ from }: { from: number }) {
  const [count] = useState(from)
  return <button type="button">Count {count}</button>
}

async function Greeting({ children }: { children?: ReactNode }) {
  const user = (await cookies()).get('user')?.value ?? 'nobody'
  const language = (await headers()).get('accept-language')
  return (
    <p lang={language ?? 'en'}>
      Hello {user} {children}
    </p>
  )
}

async function Later() {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return <Greeting />
}

const Missing = async () => notFound()
const Away = async () => redirect('/login')
const Broken = async () => {
  throw new Error('the price is missing')
}

function Place() {
  const { slug } = useParams<{ slug: string }>()
  return `${usePathname()} ${slug} ${useSearchParams().get('page')}`
}

let runs = 0
const countRuns = cached(
  async () => {
    cacheTag('prices')
    return ++runs
  },
  { key: 'runs' },
)
const Runs = async () => <b>{await countRuns()}</b>

describe('render', () => {
  test('returns the HTML of async server components that contain client components', async () => {
    const { html, text } = await render(
      <Greeting>
        <Counter from={2} />
      </Greeting>,
      { cookies: { user: 'Ada' }, headers: { 'accept-language': 'de' } },
    )
    expect(html).toContain('<p lang="de">')
    expect(text).toBe('Hello Ada Count 2')
  })

  test('waits for content in Suspense', async () => {
    const { text } = await render(
      <Suspense fallback="Loading">
        <Later />
      </Suspense>,
    )
    expect(text).toBe('Hello nobody')
  })

  test('rejects with the error of a component, also inside Suspense', async () => {
    await expect(render(<Missing />)).rejects.toThrow('status 404')
    const guarded = <Suspense fallback="Loading">{<Broken />}</Suspense>
    await expect(render(guarded)).rejects.toThrow('the price is missing')
    await expect(render(<Away />)).rejects.toMatchObject({ signal: { location: '/login' } })
  })

  test('client components get the path and the params', async () => {
    const options = { path: '/trails/oak?page=2', params: { slug: 'oak' } }
    expect((await render(<Place />, options)).text).toBe('/trails/oak oak 2')
  })

  test('cached functions run for each call of render', async () => {
    expect((await render(<Runs />)).text).toBe('1')
    expect((await render(<Runs />)).text).toBe('2')
  })

  test('requests are isolated from each other', async () => {
    const users = ['Ada', 'Bob', 'Cleo']
    const all = await Promise.all(users.map((user) => render(<Greeting />, { cookies: { user } })))
    expect(all.map(({ text }) => text)).toEqual(users.map((user) => `Hello ${user}`))
  })
})
