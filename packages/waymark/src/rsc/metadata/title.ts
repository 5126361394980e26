import type { ResolvedTitle, TitleInput } from '../../shared/metadataValues.ts'

/**
 * Puts a segment's title into the template that holds for it.
 * A title set here ends the template from above for the segments below, unless it brings one
 * of its own: a template reaches down to the next layout with a title.
 * @param template from a folder above, `%s` for the title; `null` for none
 * @param inherited shown when the segment sets a template only
 */
export function resolveTitle(
  title: TitleInput,
  template: string | null,
  inherited: string,
): ResolvedTitle {
  if (typeof title === 'string') {
    return { absolute: intoTemplate(title, template), template: null }
  }
  return { absolute: textOf(title, template) ?? inherited, template: title.template ?? null }
}

function textOf(title: Exclude<TitleInput, string>, template: string | null): string | undefined {
  if (title.absolute) return title.absolute
  return title.default ? intoTemplate(title.default, template) : undefined
}

function intoTemplate(title: string, template: string | null): string {
  // A function, because a title may hold `$&`, which a replacement text would act on.
  return title === '' || template === null ? title : template.replaceAll('%s', () => title)
}
