import type { PageProps } from 'waymark'
import { Dialog } from '../../../../ui/dialog.tsx'
import { IssueDetails, readIssue } from '../../issueDetails.tsx'

/** Shows an issue in a dialog over the board. After a reload, the issue has a page of its own. */
export default async function IssueDialog({ params }: PageProps<'/board/[id]'>) {
  const issue = await readIssue((await params).id)
  return (
    <Dialog label={issue.title}>
      <IssueDetails issue={issue} heading="h2" />
    </Dialog>
  )
}
