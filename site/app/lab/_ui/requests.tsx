'use client'

import { type ReactNode, useState } from 'react'
import styles from './requests.module.css'
import { type LabRequest, type Shot, shoot } from './shot.ts'

type RequestsProps = {
  readonly requests: readonly (LabRequest & { readonly says?: string })[]
  /** Names of response headers to show. */
  readonly headers?: readonly string[]
}

type Result = Shot | 'pending' | { readonly failed: string }

/** A list of requests, each with a button that sends the request and shows the response. */
export function Requests({ requests, headers = [] }: RequestsProps): ReactNode {
  const [results, setResults] = useState<Readonly<Record<number, Result>>>({})

  async function send(index: number, request: LabRequest) {
    const put = (result: Result) => setResults((before) => ({ ...before, [index]: result }))
    put('pending')
    try {
      put(await shoot(request))
    } catch (error) {
      put({ failed: error instanceof Error ? error.message : String(error) })
    }
  }

  return (
    <ol className={styles.list}>
      {requests.map((request, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index} className={styles.request}>
          <div className={styles.line}>
            <code>
              {request.method ?? 'GET'} {request.url}
            </code>
            <button
              type="button"
              className="button"
              aria-busy={results[index] === 'pending'}
              onClick={() => send(index, request)}
            >
              Send
            </button>
          </div>
          {request.says && <p className={styles.says}>{request.says}</p>}
          <div aria-live="polite">
            {results[index] && <ResultLine result={results[index]} headers={headers} />}
          </div>
        </li>
      ))}
    </ol>
  )
}

type ResultLineProps = { result: Result; headers: readonly string[] }

function ResultLine({ result, headers }: ResultLineProps): ReactNode {
  if (result === 'pending') return <p className={styles.quiet}>Waiting…</p>
  if ('failed' in result) return <p className={styles.quiet}>The request failed: {result.failed}</p>
  const displayedHeaders = headers.flatMap((name) => {
    const value = result.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return (
    <dl className={styles.result}>
      <Fact name="status">
        <Status status={result.status} />
      </Fact>
      {result.endedAt && <Fact name="ended at">{result.endedAt}</Fact>}
      {result.title !== null && <Fact name="title">{result.title}</Fact>}
      {result.isHidden && <Fact name="robots">noindex</Fact>}
      {displayedHeaders.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      <Fact name="took">
        {result.ms} ms, {result.bytes.toLocaleString('en')} bytes
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A status code in the colour of its class. */
export function Status({ status }: { status: number }): ReactNode {
  return (
    <strong className={styles.status} data-class={Math.floor(status / 100)}>
      {status}
    </strong>
  )
}
