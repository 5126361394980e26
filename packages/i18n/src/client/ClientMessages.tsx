'use client'

import { config } from 'virtual:waymark-i18n/config'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { IntlProvider } from 'use-intl/react'
import { reportProblem } from '../shared/reportProblem.ts'
import { type MessageTable, mergeMessages } from '../shared/usedMessages.ts'

const noMessages: MessageTable = {}
const OuterMessages = createContext(noMessages)

export type ClientMessagesProps = {
  readonly locale: string
  /** Time at which the server rendered this part of the page. */
  readonly now: Date
  /** Compiled messages. The messages of the layouts around are added. Default: none */
  readonly messages?: MessageTable
  readonly children?: ReactNode
}

/** Provides messages to the client components inside. */
export function ClientMessages({
  locale,
  now,
  messages = noMessages,
  children,
}: ClientMessagesProps) {
  const outer = useContext(OuterMessages)
  const merged = useMemo(() => mergeMessages(outer, messages), [outer, messages])
  return (
    <OuterMessages value={merged}>
      <IntlProvider
        locale={locale}
        now={now}
        timeZone={config.timeZone}
        // The type doesn't know compiled messages.
        messages={merged as never}
        onError={reportProblem}
      >
        {children}
      </IntlProvider>
    </OuterMessages>
  )
}
