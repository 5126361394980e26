import type { LayoutProps } from 'waymark'
import { LivePage } from '../../live/livePage.tsx'
import { requireUser } from '../../session.ts'

/** The board, and over it the issue that was opened from it. A guard of both, and of their actions. */
export default async function BoardLayout({ children, modal }: LayoutProps<'/board'>) {
  await requireUser()
  return (
    <>
      {children}
      {modal}
      <LivePage />
    </>
  )
}
