import { Link, type Metadata, type PageProps } from 'waymark'
import { IssueDetails, readIssue } from '../issueDetails.tsx'

type Props = PageProps<'/board/[id]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await readIssue((await params).id)).title }
}

export default async function IssuePage({ params }: Props) {
  const issue = await readIssue((await params).id)
  return (
    <div className="narrow">
      <p>
        <Link href="/board">Board</Link>
      </p>
      <IssueDetails issue={issue} heading="h1" />
    </div>
  )
}
