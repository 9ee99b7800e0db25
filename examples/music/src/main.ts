console.log('The music catalogue is not served yet.')
