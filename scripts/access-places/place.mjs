// @ts-check
/**
 * A place of the sources that asks for an access rule, and the same place without the question.
 *
 * @typedef {object} Place
 * @property {string} name what the place asks for
 * @property {string} file
 * @property {string} text occurs exactly once in the file
 * @property {string} by what replaces it
 */

/** @returns {Place} */
export const place = (/** @type {string} */ file, /** @type {string} */ name, /** @type {string} */ text, by = '') => ({
  file: `src/${file}`,
  name,
  text,
  by,
})
