import type { PageProps } from 'waymark'
import { Dialog } from '../../../../ui/dialog.tsx'
import { IssueDetails, readIssue } from '../../issueDetails.tsx'

/** An issue over the board that it was opened from. A reload shows its page. */
export default async function IssueDialog({ params }: PageProps<'/board/[id]'>) {
  const issue = await readIssue((await params).id)
  return (
    <Dialog label={issue.title}>
      <IssueDetails issue={issue} heading="h2" />
    </Dialog>
  )
}
