SELECT o.Id, c.Id FROM Orders o LEFT JOIN Customers c ON c.Id = o.CustomerId WHERE o.Id > 2 AND c.Id IS NULL
GO
SELECT o.Id, c.Id FROM Orders o RIGHT JOIN Customers c ON c.Id = o.CustomerId WHERE o.Id IS NULL
GO
SELECT o.Id, c.Id FROM Orders o FULL JOIN Customers c ON c.Id = o.CustomerId AND c.Id = 10 WHERE o.Id > 3 OR o.Id IS NULL ORDER BY c.Id
GO
SELECT o.Id, x.Id FROM Orders o OUTER APPLY (SELECT p.Id FROM Orders p WHERE p.Id = o.Id + 1) x WHERE o.Id >= 3 AND 1 = 1
GO
SELECT o.Id FROM Orders o JOIN Customers c ON c.Id = o.CustomerId WHERE 10 / (o.Id - 4) < 0 ORDER BY 1
GO
SELECT TOP (3) n FROM dbo.numbers(1000) ORDER BY n % 10, n DESC
GO
SELECT n FROM dbo.numbers(1000) ORDER BY n / 500 DESC OFFSET 2 ROWS FETCH NEXT 2 ROWS ONLY
GO
SELECT MAX(x.n) FROM (SELECT TOP (700) n FROM dbo.numbers(1000) ORDER BY n) x
GO
SELECT TOP (1) n FROM dbo.numbers(1000) ORDER BY n DESC
GO
SELECT TOP (2) n FROM dbo.numbers(1000) ORDER BY n / 2000
