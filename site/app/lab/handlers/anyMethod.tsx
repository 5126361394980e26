'use client'

import { type ReactNode, useState } from 'react'
import { Status } from '../_ui/requests.tsx'
import { type Shot, shoot } from '../_ui/shot.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Sends a request with any method, and shows the status, headers and body of the response. */
export function AnyMethod(): ReactNode {
  const [sent, setSent] = useState<{ method: string; shot: Shot } | null>(null)

  async function send(method: string) {
    const body = method === 'POST' ? 'Grüezi' : undefined
    const request = { url: '/lab/handlers/echo?from=lab', method }
    setSent({ method, shot: await shoot(body === undefined ? request : { ...request, body }) })
  }

  return (
    <div className="stage">
      <p className="controls">
        {methods.map((method) => (
          <button key={method} type="button" className="button" onClick={() => send(method)}>
            {method}
          </button>
        ))}
      </p>
      <div aria-live="polite">{sent && <Sent {...sent} />}</div>
    </div>
  )
}

function Sent({ method, shot }: { method: string; shot: Shot }): ReactNode {
  return (
    <dl className="facts">
      <dt>{method}</dt>
      <dd>
        <Status status={shot.status} />
      </dd>
      {[...shot.headers].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <dt>body</dt>
      <dd>
        <code>{shot.text || '(empty)'}</code>
      </dd>
    </dl>
  )
}
