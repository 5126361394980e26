import type { Metadata } from 'waymark'
import { requireUser } from '../../session.ts'
import { addIssue } from '../board/actions.ts'

export const metadata: Metadata = { title: 'New issue' }

export default async function NewIssue() {
  await requireUser()
  return (
    <div className="narrow">
      <h1>New issue</h1>
      <form action={addIssue} className="stack">
        <label>
          Title
          <input name="title" required maxLength={120} />
        </label>
        <label>
          Description
          <textarea name="text" rows={6} maxLength={5_000} />
        </label>
        <p>
          <button type="submit">Report</button>
        </p>
      </form>
    </div>
  )
}
