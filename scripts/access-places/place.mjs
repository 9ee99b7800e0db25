// @ts-check
/**
 * An access check in the sources, and the same code without the check.
 *
 * @typedef {object} Place
 * @property {string} name what is checked
 * @property {string} file
 * @property {string} text occurs exactly once in the file
 * @property {string} by the replacement
 */

/** @returns {Place} */
export const place = (/** @type {string} */ file, /** @type {string} */ name, /** @type {string} */ text, by = '') => ({
  file: `src/${file}`,
  name,
  text,
  by,
})
