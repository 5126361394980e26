import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './figures.module.css'

type Row = { readonly page: string; readonly values: readonly string[]; readonly best: number }

const frameworks = ['Waymark', 'Next 16.4', 'TanStack Start', 'React Router 8'] as const

// Figures from the guide's comparison, measured on 2026-11-29. Waymark was measured with speedups.
const rows: readonly Row[] = [
  { page: 'Static page', values: ['75,388', '3,312', '4,088', '11,749'], best: 0 },
  { page: 'Unmatched URL', values: ['75,812', '3,357', '1,798', '1,031'], best: 0 },
  { page: 'Small dynamic page', values: ['11,298', '390', '1,758', '1,412'], best: 0 },
  { page: '100 items with links', values: ['1,261', '152', '825', '660'], best: 0 },
  { page: 'Page data of the items', values: ['2,469', '499', '3,361', '3,833'], best: 3 },
]

/** Requests per second of Waymark and of other frameworks. */
export function Figures(): ReactNode {
  return (
    <section className={styles.section} aria-labelledby="figures">
      <h2 id="figures">Measured, including where we lose</h2>
      <p id="figures-caption" className={styles.caption}>
        Requests per second of one server on one core, with Node 24, in November 2026. Waymark runs
        as in a new app, with speedups.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach content that scrolls */}
      <section className="scroll-edges" aria-labelledby="figures-caption" tabIndex={0}>
        <table className={styles.table} aria-labelledby="figures-caption">
          <thead>
            <tr>
              <th scope="col">Page</th>
              {frameworks.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ page, values, best }) => (
              <tr key={page}>
                <th scope="row">{page}</th>
                {values.map((value, at) => (
                  <td key={frameworks[at]}>{at === best ? <strong>{value}</strong> : value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p>
        <Link href="/guide/comparison">Read the whole comparison</Link>
      </p>
    </section>
  )
}
