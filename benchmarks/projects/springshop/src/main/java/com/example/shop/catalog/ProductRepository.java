package com.example.shop.catalog;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

public interface ProductRepository extends JpaRepository<Product, Long> {

    @Query(value = "SELECT p.* FROM products p WHERE p.sku = :sku", nativeQuery = true)
    Product bySku(@Param("sku") String sku);

    @Query(nativeQuery = true, value = """
            SELECT p.*
              FROM products p
             WHERE p.attributes @ hstore(:name, :value)
             ORDER BY p.name
            """)
    List<Product> withAttribute(@Param("name") String name, @Param("value") String value);

    @Modifying
    @Query(value = "UPDATE products SET tags = array_append(tags, CAST(:tag AS text)) WHERE id = :id", nativeQuery = true)
    int addTag(@Param("id") long id, @Param("tag") String tag);

    @Query(value = "SELECT p.* FROM products p WHERE p.price > 1e3 AND :tag = ANY (p.tags)", nativeQuery = true)
    List<Product> premium(@Param("tag") String tag);
}
