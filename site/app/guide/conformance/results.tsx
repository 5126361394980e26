import type { ReactNode } from 'react'
import bun from './results/bun.json'
import cloudflare from './results/cloudflare.json'
import deno from './results/deno.json'
import lambda from './results/lambda.json'
import node from './results/node.json'
import site from './results/static.json'
import vercel from './results/vercel.json'
import workerd from './results/workerd.json'

const hosts = [node, bun, deno, workerd, cloudflare, lambda, vercel, site]

/** The number of cases that each host has passed. */
export function Summary() {
  return (
    <Wide label="Table: results by host" heads={['host', 'passed', 'unsupported', 'lacks']}>
      {hosts.map(({ host, lacks, cases }) => (
        <tr key={host}>
          <td>{host}</td>
          <td>{cases.filter(({ outcome }) => outcome === 'passed').length}</td>
          <td>{cases.filter(({ outcome }) => outcome === 'unsupported').length}</td>
          <td>{lacks.length > 0 ? lacks.join(', ') : 'nothing'}</td>
        </tr>
      ))}
    </Wide>
  )
}

/** Each case of a group, with its result on each host. */
export function Results({ group }: { group: string }) {
  const cases = node.cases.filter((each) => each.group === group)
  return (
    <Wide label={`Table: ${group}`} heads={['case', ...hosts.map(({ host }) => host)]}>
      {cases.map(({ name }) => (
        <tr key={name}>
          <td>{name}</td>
          {hosts.map(({ host, cases: results }) => (
            <td key={host}>{markOf(results.find((each) => each.name === name)?.outcome)}</td>
          ))}
        </tr>
      ))}
    </Wide>
  )
}

type WideProps = {
  readonly label: string
  readonly heads: readonly string[]
  /** The rows. */
  readonly children: ReactNode
}

/** A table that scrolls on narrow screens. */
function Wide({ label, heads, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: People without a mouse scroll it with arrow keys.
    <section className="wide scroll-edges" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

const marks: Readonly<Record<string, string>> = { passed: '✓', unsupported: '–' }

function markOf(outcome = 'missing'): string {
  return marks[outcome] ?? outcome
}
