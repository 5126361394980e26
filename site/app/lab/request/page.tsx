import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { cookies, headers } from 'waymark/server'
import { Expect } from '../_ui/expect.tsx'
import { AfterLog } from './afterLog.tsx'
import { CookieForm } from './cookieForm.tsx'

export const metadata: Metadata = { title: 'Headers, cookies, after' }

const headerNames = [
  'host',
  'user-agent',
  'accept',
  'accept-language',
  'accept-encoding',
  'referer',
]

export default async function RequestPage(): Promise<ReactNode> {
  const sent = await headers()
  const jar = await cookies()
  return (
    <>
      <h1>Headers, cookies, after</h1>
      <p>This page shows the headers and cookies of your request.</p>
      <Expect>
        <li>You see the headers that your browser has sent.</li>
        <li>A route handler sets the cookie and redirects here. This page reads the cookie.</li>
        <li>A function passed to after() runs when the response has been sent.</li>
      </Expect>
      <h2>headers()</h2>
      <dl className="facts">
        {headerNames.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{sent.get(name) ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <h2>cookies()</h2>
      <CookieForm value={jar.get('lab-note')?.value ?? null} />
      <h2>after()</h2>
      <AfterLog />
    </>
  )
}
