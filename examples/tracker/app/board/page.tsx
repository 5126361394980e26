import { Form, Link, type Metadata, type PageProps, withParams } from 'waymark'
import { type IssueFilter, type State, states } from '../../database/database.ts'
import { database } from '../../database/open.ts'

export const metadata: Metadata = { title: 'Board' }

/** Shows the issues that match the filter in the URL, by state. */
export default async function Board({ searchParams }: PageProps<'/board'>) {
  const query = await searchParams
  const filter = filterOf(query)
  const issues = await database().listIssues(filter)
  const visibleStates = filter.state === null ? states : [filter.state]
  return (
    <>
      <div className="head">
        <h1>Board</h1>
        <Link href="/new" className="button">
          New issue
        </Link>
      </div>
      <div className="row">
        <nav aria-label="State" className="row">
          {[null, ...states].map((state) => (
            <Link
              key={state}
              href={withParams('/board', query, { state })}
              aria-current={state === filter.state ? 'page' : undefined}
            >
              {state ?? 'all'}
            </Link>
          ))}
        </nav>
        <Form action="/board" className="row">
          {filter.state && <input type="hidden" name="state" value={filter.state} />}
          <input type="search" name="text" defaultValue={filter.text} aria-label="Text" />
          <button type="submit" className="quiet">
            Search
          </button>
        </Form>
      </div>
      <div className="columns">
        {visibleStates.map((state) => (
          <section key={state} aria-labelledby={state}>
            <h2 id={state}>{state}</h2>
            <ul className="cards">
              {issues
                .filter((issue) => issue.state === state)
                .map(({ id, title, author }) => (
                  <li key={id}>
                    <Link href={`/board/${id}`}>{title}</Link>
                    <small>
                      #{id} by {author}
                    </small>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

type Query = Awaited<PageProps<'/board'>['searchParams']>

/** Reads the filter from the query string. Unknown values are ignored. */
function filterOf({ state, text }: Query): IssueFilter {
  const isState = (value: unknown): value is State => states.includes(value as State)
  return { state: isState(state) ? state : null, text: typeof text === 'string' ? text : '' }
}
