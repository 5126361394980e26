import type { FormHTMLAttributes, ReactNode, Ref } from 'react'
import type { CheckedHref } from '../routing/appRoutes.ts'
import { withBasePath } from '../shared/basePath.ts'
import { checkedHref } from '../shared/html.ts'
import { encodeLink, type LinkSettings } from './linkAttributes.ts'

export type FormProps<Given extends string = string> = Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'action' | 'method'
> &
  Partial<Pick<LinkSettings, 'replace' | 'scroll'>> & {
    /** Path of a page. The form's fields become the page's query. */
    readonly action: CheckedHref<Given>
    readonly ref?: Ref<HTMLFormElement>
  }

/**
 * A form, such as a search, that navigates to a page with its fields as the query. It also works
 * without JavaScript.
 */
export function Form<const Given extends string>({
  action,
  ...attributes
}: FormProps<Given>): ReactNode {
  return (
    <form
      {...encodeLink(attributes)}
      data-waymark-form=""
      action={checkedHref(withBasePath(action))}
      method="get"
    />
  )
}
