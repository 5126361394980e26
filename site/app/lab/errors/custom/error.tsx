'use client'

import type { ReactNode } from 'react'
import type { ErrorScreenProps } from 'waymark/client'
import { Caught } from '../_ui/caught.tsx'

export default function ErrorScreen(props: ErrorScreenProps): ReactNode {
  return <Caught where="errors/custom/error.tsx" side="server" {...props} />
}
