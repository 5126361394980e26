import type { LayoutProps } from 'waymark'
import { LivePage } from '../../live/livePage.tsx'
import { requireUser } from '../../session.ts'

/** Renders the board, and the dialog with an issue over it. Guards both, and their actions. */
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
