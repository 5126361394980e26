import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './figures.module.css'

type Row = { readonly page: string; readonly values: readonly string[]; readonly best: number }

const frameworks = [
  'Waymark',
  'Next 16',
  'TanStack Start',
  'React Router 8',
  'SvelteKit 3',
  'Astro 7',
] as const

// Figures from the guide's comparison, measured on 2026-11-30. Waymark was measured with speedups.
const rows: readonly Row[] = [
  { page: 'Static page', values: ['18,374', '916', '1,656', '3,984', '3,581', '4,356'], best: 0 },
  { page: 'Unmatched URL', values: ['19,780', '1,406', '848', '616', '2,483', '1,871'], best: 0 },
  { page: 'Small page', values: ['2,537', '225', '960', '638', '1,759', '989'], best: 0 },
  { page: '100 items', values: ['349', '96', '294', '221', '647', '868'], best: 5 },
  { page: '1,000 rows', values: ['73', '23', '129', '96', '141', '556'], best: 5 },
  { page: '1,000 client rows', values: ['158', '80', '155', '103', '149', '68'], best: 0 },
]

/** Requests per second of Waymark and of other frameworks. */
export function Figures(): ReactNode {
  return (
    <section className={styles.section} aria-labelledby="figures">
      <h2 id="figures">Measured, including where we lose</h2>
      <p id="figures-caption" className={styles.caption}>
        Requests per second of one server on one slow core, with Node 24, in November 2026. Each
        request gets different content, except for the first two pages. Waymark runs as in a new
        app, with speedups.
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
