import { notFound } from 'waymark'
import { type Issue, states } from '../../database/database.ts'
import { database } from '../../database/open.ts'
import { requireUser } from '../../session.ts'
import { changeState, comment } from './actions.ts'
import { Comments } from './comments.tsx'
import { FileField } from './fileField.tsx'

/** @param id id from the URL, so it can be any string */
export async function readIssue(id: string): Promise<Issue> {
  const issue = /^\d{1,9}$/.test(id) ? await database().findIssue(Number(id)) : null
  return issue ?? notFound()
}

type Props = { readonly issue: Issue; readonly heading: 'h1' | 'h2' }

/** Shows an issue with its comments, on its page and in the dialog. */
export async function IssueDetails({ issue, heading: Heading }: Props) {
  const [user, comments] = await Promise.all([requireUser(), database().listComments(issue.id)])
  return (
    <article className="stack">
      <Heading>{issue.title}</Heading>
      <p className="quiet">
        #{issue.id} by {issue.author}
      </p>
      {issue.text && <p className="text">{issue.text}</p>}
      <form action={changeState.bind(null, issue.id)} className="row">
        {states.map((state) => (
          <button
            key={state}
            type="submit"
            name="state"
            value={state}
            className="quiet"
            aria-pressed={state === issue.state}
          >
            {state}
          </button>
        ))}
      </form>
      <Comments comments={comments} action={comment.bind(null, issue.id)} author={user.name} />
      <FileField url={`/issues/${issue.id}/files`} />
    </article>
  )
}
