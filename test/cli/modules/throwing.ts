throw new TypeError('The configuration has no host.')
