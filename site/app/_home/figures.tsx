import type { ReactNode } from 'react'
import styles from './figures.module.css'

type Row = { readonly page: string; readonly values: readonly string[]; readonly best: number }

const frameworks = ['Waymark', 'Next 16.4', 'TanStack Start', 'React Router 8'] as const

// Measured side by side in one run, 2026-11-23; the guide's comparison has the same on Node 20.
const rows: readonly Row[] = [
  { page: 'Static page', values: ['26,295', '1,866', '2,413', '5,370'], best: 0 },
  { page: 'Unmatched URL', values: ['35,663', '2,178', '1,330', '1,013'], best: 0 },
  { page: 'Small dynamic page', values: ['4,587', '262', '1,591', '1,159'], best: 0 },
  { page: '100 items with links', values: ['778', '127', '573', '432'], best: 0 },
  { page: 'Page data of these', values: ['1,448', '252', '2,160', '1,624'], best: 2 },
]

/** What was measured beside other frameworks, losses included. */
export function Figures(): ReactNode {
  return (
    <section className={styles.section} aria-labelledby="figures">
      <h2 id="figures">Measured, with what we lose</h2>
      <p id="figures-caption" className={styles.caption}>
        Requests per second of one server on one core, Node 24, November 2026, all in one run.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
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
    </section>
  )
}
