/** English messages about files that a form doesn't accept. Only the server needs them. */
export const englishFiles = {
  onlyOne: 'Choose only one file.',
  tooMany: 'Choose at most {count} files.',
  /** `{limit}` is a size, such as `1 MB`. */
  tooLarge: '{name} is larger than {limit}.',
  empty: '{name} is empty.',
  /** `{types}` is a list, such as `JPEG and PNG`. */
  type: '{name} has the wrong type. Allowed types: {types}.',
}
